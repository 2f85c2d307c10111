// Served in place of the package, which a browser would not find by its name: src/run/live/serve.ts.
export { expressionInterpreter } from 'vega-interpreter';
