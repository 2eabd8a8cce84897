// SPDX-License-Identifier: GPL-2.0-or-later
// Makes reads fail with EIO in files whose name contains UNREADABLE_NAME, once UNREADABLE_AFTER
// bytes of them were read, and creates the file UNREADABLE_MARK when that happens.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_llong bytes_read;

static int fails(int file, size_t count) {
  const char *name = getenv("UNREADABLE_NAME"), *after = getenv("UNREADABLE_AFTER");
  char link[64], path[4096];
  if (!name || !after) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (!strstr(path, name)) return 0;
  if (atomic_fetch_add(&bytes_read, (long long)count) + (long long)count <= atoll(after)) return 0;
  const char *mark = getenv("UNREADABLE_MARK");
  if (mark) close(open(mark, O_CREAT | O_WRONLY, 0644));
  errno = EIO;
  return 1;
}

ssize_t read(int file, void *data, size_t count) {
  static ssize_t (*real)(int, void *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "read");
  return fails(file, count) ? -1 : real(file, data, count);
}

ssize_t pread(int file, void *data, size_t count, off_t place) {
  static ssize_t (*real)(int, void *, size_t, off_t);
  if (!real) real = dlsym(RTLD_NEXT, "pread");
  return fails(file, count) ? -1 : real(file, data, count, place);
}

ssize_t pread64(int file, void *data, size_t count, off64_t place) {
  static ssize_t (*real)(int, void *, size_t, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pread64");
  return fails(file, count) ? -1 : real(file, data, count, place);
}
