// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

// The platform's module of the C library leaves them out.
#include <sys/xattr.h>
