// Package native is Benchfolio's native player, a part of k6: users that send declared requests without JavaScript in
// between. Importing it registers
//
//   - the executor "benchfolio", which takes the options of one of k6's own executors and a planned load. k6's executor
//     decides when iterations begin, and by how many users, exactly as it does for a script; the users are ours: a
//     goroutine with a connection each, in place of a JavaScript runtime;
//   - the module k6/x/benchfolio, by which the script (k6/native.js) has the numbers for its summary.
//
// What is counted goes to k6 once a second, summed up: thresholds, exit codes and outputs stay k6's. See the packages:
// plan (the load), player (its users), wire (HTTP), tally and hist (the numbers).
package native
