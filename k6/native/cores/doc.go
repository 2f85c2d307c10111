// Package cores says on which cores processes run, and keeps cores from falling idle, so that base and head of a duet find the same.
package cores
