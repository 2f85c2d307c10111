// Package swap has two groups of processes swap cores, so that neither sits on the better one.
package swap
