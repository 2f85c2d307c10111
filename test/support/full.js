/** Is everything tried that `make test` tries a part of? `make simulate` and `make lighthouse` say so. */
export const full = process.env.FULL === '1';
