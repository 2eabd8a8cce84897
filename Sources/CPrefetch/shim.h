// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

// An instruction that Swift has no word for: asks for memory that is read soon.
static inline void candela_prefetch(const void *address) { __builtin_prefetch(address); }
