/*
 * Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
 *
 * A disk with one head, as a file for a loop device: seeking-disk IMAGE SEEK_US READ_BPS WRITE_BPS
 * DIRECTORY [fuse options]. DIRECTORY/disk is IMAGE. A request costs a seek, unless it continues the
 * one before, and its bytes. Requests queue; one that continues the last goes first, else the oldest.
 * Time is virtual: the next request begins when the one before has ended, not when a thread woke up,
 * and what a thread woke up late is taken off the next one's arrival.
 * A flush costs nothing, since every write was on the disk when it was answered.
 *
 * DIRECTORY/control: written "0" the disk is as fast as it can be (at first), "N" N times slower than
 * it was said to be; read it has nanoseconds busy, seeks, reads, writes, bytes read, bytes written.
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct waiting {
  struct waiting *next;
  off_t at;
  pthread_cond_t turn;
};

static const char *DISK = "/disk", *CONTROL = "/control";
static int image;
static int64_t seek_ns, read_bps, write_bps;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiting *queue; /* the oldest first */
static int busy, slower;
static off_t head = -1;
static int64_t free_at, late;
static uint64_t busy_ns, seeks, reads, writes, bytes_read, bytes_written;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Wakes the next one: what continues the last request, else the oldest. With the lock. */
static void next_turn(void) {
  struct waiting *one = queue;
  for (struct waiting *w = queue; w; w = w->next)
    if (w->at == head) {
      one = w;
      break;
    }
  if (one) pthread_cond_signal(&one->turn);
}

static int is_next(const struct waiting *me) {
  if (busy) return 0;
  for (struct waiting *w = queue; w; w = w->next)
    if (w->at == head) return w == me;
  return queue == me;
}

/* Waits for the head, does the request, and returns when a disk would have done it. */
static ssize_t serve(char *to, const char *from, size_t size, off_t at) {
  int64_t arrived = now();
  struct waiting me = {NULL, at, PTHREAD_COND_INITIALIZER}, **end;
  pthread_mutex_lock(&lock);
  for (end = &queue; *end; end = &(*end)->next) {}
  *end = &me;
  while (slower && !is_next(&me)) pthread_cond_wait(&me.turn, &lock);
  for (end = &queue; *end != &me; end = &(*end)->next) {}
  *end = me.next;
  int64_t until = 0;
  prctl(PR_SET_TIMERSLACK, 1UL); /* of this thread */
  if (slower) {
    int64_t cost = (at == head ? 0 : seek_ns) + (int64_t)(1e9 * size / (to ? read_bps : write_bps));
    cost *= slower;
    seeks += at != head;
    arrived -= late;
    late = 0;
    free_at = (arrived > free_at ? arrived : free_at) + cost;
    busy_ns += cost;
    until = free_at;
    busy = 1;
  }
  head = at + size;
  to ? (reads++, bytes_read += size) : (writes++, bytes_written += size);
  pthread_mutex_unlock(&lock);
  ssize_t done = to ? pread(image, to, size, at) : pwrite(image, from, size, at);
  int error = errno;
  if (until) {
    struct timespec t = {until / 1000000000LL, until % 1000000000LL};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
    int64_t woke = now();
    pthread_mutex_lock(&lock);
    late = woke > until ? woke - until : 0;
    busy = 0;
    next_turn();
    pthread_mutex_unlock(&lock);
  }
  pthread_cond_destroy(&me.turn);
  return done < 0 ? -error : done;
}

static int d_getattr(const char *path, struct stat *st, struct fuse_file_info *fi) {
  (void)fi;
  memset(st, 0, sizeof *st);
  if (!strcmp(path, "/")) {
    st->st_mode = S_IFDIR | 0755;
    st->st_nlink = 2;
  } else if (!strcmp(path, DISK)) {
    if (fstat(image, st)) return -errno;
    st->st_mode = S_IFREG | 0600;
  } else if (!strcmp(path, CONTROL)) {
    st->st_mode = S_IFREG | 0600;
    st->st_nlink = 1;
  } else {
    return -ENOENT;
  }
  return 0;
}

static int d_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t at,
                     struct fuse_file_info *fi, enum fuse_readdir_flags flags) {
  (void)path, (void)at, (void)fi, (void)flags;
  fill(buffer, DISK + 1, NULL, 0, 0);
  fill(buffer, CONTROL + 1, NULL, 0, 0);
  return 0;
}

static int d_open(const char *path, struct fuse_file_info *fi) {
  (void)path;
  fi->direct_io = 1;
#if FUSE_VERSION >= FUSE_MAKE_VERSION(3, 15)
  fi->parallel_direct_writes = 1;
#endif
  return 0;
}

static int d_read(const char *path, char *to, size_t size, off_t at, struct fuse_file_info *fi) {
  (void)fi;
  if (!strcmp(path, DISK)) return serve(to, NULL, size, at);
  char text[200];
  pthread_mutex_lock(&lock);
  int length = snprintf(text, sizeof text, "%lu %lu %lu %lu %lu %lu\n", busy_ns, seeks, reads, writes,
                        bytes_read, bytes_written);
  pthread_mutex_unlock(&lock);
  if (at >= length) return 0;
  size_t rest = length - at < (off_t)size ? (size_t)(length - at) : size;
  memcpy(to, text + at, rest);
  return rest;
}

static int d_write(const char *path, const char *from, size_t size, off_t at,
                   struct fuse_file_info *fi) {
  (void)fi;
  if (!strcmp(path, DISK)) return serve(NULL, from, size, at);
  char text[20] = "";
  memcpy(text, from, size < sizeof text - 1 ? size : sizeof text - 1);
  pthread_mutex_lock(&lock);
  slower = atoi(text);
  for (struct waiting *w = queue; w; w = w->next) pthread_cond_signal(&w->turn);
  pthread_mutex_unlock(&lock);
  return size;
}

static int d_truncate(const char *path, off_t size, struct fuse_file_info *fi) {
  (void)path, (void)size, (void)fi;
  return 0; /* a shell that writes to control */
}

static int d_fsync(const char *path, int data, struct fuse_file_info *fi) {
  (void)path, (void)data, (void)fi;
  return 0;
}

static void *d_init(struct fuse_conn_info *connection, struct fuse_config *config) {
  connection->max_write = connection->max_readahead = 1 << 20;
  connection->max_background = 64;
  connection->congestion_threshold = 64;
  config->direct_io = 1;
  config->attr_timeout = 3600;
  return NULL;
}

int main(int count, char **words) {
  if (count < 6) return fprintf(stderr, "IMAGE SEEK_US READ_BPS WRITE_BPS DIRECTORY\n"), 2;
  image = open(words[1], O_RDWR);
  if (image < 0) return perror(words[1]), 1;
  seek_ns = 1000 * atoll(words[2]);
  read_bps = atoll(words[3]);
  write_bps = atoll(words[4]);
  struct fuse_operations all = {.getattr = d_getattr, .readdir = d_readdir, .open = d_open,
      .read = d_read, .write = d_write, .truncate = d_truncate, .fsync = d_fsync, .init = d_init};
  words[4] = words[0];
  return fuse_main(count - 4, words + 4, &all, NULL);
}
