/**
 * The file in src/ that a module is compiled from; the path itself where it is no module of src/. Modules of src/ are imported by
 * the names that they have once they are compiled.
 * @param {string} path from the root
 */
export const sourceOf = (path) => path.replace(/^(?:src|dist)\/(.*)\.js$/, 'src/$1.ts');
