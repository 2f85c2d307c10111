/**
 * Whether a request came by a name of this machine: a page of another name that leads here (DNS rebinding) is not to read what is
 * private.
 * @param host the header Host
 */
export const isOwnHost = (host: string | undefined): boolean => /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? '');
