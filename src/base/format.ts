/** Numbers for people, by the one set of rules: the browser's own module, which Node.js imports as it is. */
export * from '../../site/assets/js/format.js';
