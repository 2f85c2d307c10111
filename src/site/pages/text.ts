/** @returns with a capital */
export const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
