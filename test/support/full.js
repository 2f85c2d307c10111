/** Is everything tried that `make test` tries a part of? `make simulate` says so. */
export const full = process.env.FULL === '1';
