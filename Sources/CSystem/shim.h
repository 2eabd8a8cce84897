// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

// The platform's module of the C library leaves these out.
#include <stddef.h>
#include <sys/xattr.h>

// Declared by <sched.h> only for `_GNU_SOURCE`, which must be set before any header is read. The
// sets are of any size (sched_setaffinity(2)).
int candela_sched_getaffinity(int pid, size_t size, void *set) __asm__("sched_getaffinity");
int candela_sched_setaffinity(int pid, size_t size, const void *set) __asm__("sched_setaffinity");
