/** The write-ahead log: the provider that places it and hands out HBase's own WAL objects. */
package io.github.hybridhbase.wal;
