// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

// Instructions that Swift has no word for: each lane takes the number at its own place of a table
// that lies in registers, a condition that holds for all lanes, and square roots, which Swift takes
// one by one.

#if defined(__AVX512F__)

typedef float candela_lanes __attribute__((ext_vector_type(16)));
typedef int candela_places __attribute__((ext_vector_type(16)));
typedef float candela_vector __attribute__((vector_size(64)));
typedef int candela_integers __attribute__((vector_size(64)));

/// The numbers at the places that the lowest four bits say.
static inline __attribute__((always_inline)) candela_lanes candela_look_up(
    candela_lanes table, candela_places places) {
  return (candela_lanes)__builtin_ia32_permvarsf512((candela_vector)table, (candela_integers)places);
}

/// The last number of one register and all but the last of the other.
static inline __attribute__((always_inline)) candela_lanes candela_one_before(
    candela_lanes before, candela_lanes lanes) {
  return __builtin_shufflevector(
      before, lanes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
}

/// The last two numbers of one register and all but the last two of the other.
static inline __attribute__((always_inline)) candela_lanes candela_two_before(
    candela_lanes before, candela_lanes lanes) {
  return __builtin_shufflevector(
      before, lanes, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
}

/// All but the first number of one register and the first of the other.
static inline __attribute__((always_inline)) candela_lanes candela_one_after(
    candela_lanes lanes, candela_lanes after) {
  return __builtin_shufflevector(
      lanes, after, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
}

/// The square root of each number, rounded as IEEE 754 has it.
static inline __attribute__((always_inline)) candela_lanes candela_square_root(
    candela_lanes lanes) {
  return __builtin_elementwise_sqrt(lanes);
}

/// The larger of two numbers, or the second if one of them is NaN.
static inline __attribute__((always_inline)) candela_lanes candela_larger(
    candela_lanes first, candela_lanes second) {
  return (candela_lanes)__builtin_ia32_maxps512((candela_vector)first, (candela_vector)second, 4);
}

/// The smaller of two numbers, or the second if one of them is NaN.
static inline __attribute__((always_inline)) candela_lanes candela_smaller(
    candela_lanes first, candela_lanes second) {
  return (candela_lanes)__builtin_ia32_minps512((candela_vector)first, (candela_vector)second, 4);
}

/// 1 if all integers are negative.
static inline __attribute__((always_inline)) int candela_all(candela_places marks) {
  return __builtin_ia32_cvtd2mask512((candela_integers)marks) == 0xFFFF;
}

#elif defined(__AVX2__)

typedef float candela_lanes __attribute__((ext_vector_type(8)));
typedef int candela_places __attribute__((ext_vector_type(8)));
typedef float candela_vector __attribute__((vector_size(32)));
typedef int candela_integers __attribute__((vector_size(32)));

/// The numbers at the places that the lowest three bits say.
static inline __attribute__((always_inline)) candela_lanes candela_look_up(
    candela_lanes table, candela_places places) {
  // The table in a register: of one in memory, Zen 3 takes twice as long as to load it before.
  __asm__ volatile("" : "+x"(table));
  return (candela_lanes)__builtin_ia32_permvarsf256((candela_vector)table, (candela_integers)places);
}

/// The first number, or the second where the integer is negative.
static inline __attribute__((always_inline)) candela_lanes candela_choose(
    candela_lanes first, candela_lanes second, candela_places integers) {
  return (candela_lanes)__builtin_ia32_blendvps256(
      (candela_vector)first, (candela_vector)second, (candela_vector)integers);
}

/// The last number of one register and all but the last of the other.
static inline __attribute__((always_inline)) candela_lanes candela_one_before(
    candela_lanes before, candela_lanes lanes) {
  return __builtin_shufflevector(before, lanes, 7, 8, 9, 10, 11, 12, 13, 14);
}

/// The last two numbers of one register and all but the last two of the other.
static inline __attribute__((always_inline)) candela_lanes candela_two_before(
    candela_lanes before, candela_lanes lanes) {
  return __builtin_shufflevector(before, lanes, 6, 7, 8, 9, 10, 11, 12, 13);
}

/// All but the first number of one register and the first of the other.
static inline __attribute__((always_inline)) candela_lanes candela_one_after(
    candela_lanes lanes, candela_lanes after) {
  return __builtin_shufflevector(lanes, after, 1, 2, 3, 4, 5, 6, 7, 8);
}

/// The square root of each number, rounded as IEEE 754 has it.
static inline __attribute__((always_inline)) candela_lanes candela_square_root(
    candela_lanes lanes) {
  return __builtin_elementwise_sqrt(lanes);
}

/// The larger of two numbers, or the second if one of them is NaN.
static inline __attribute__((always_inline)) candela_lanes candela_larger(
    candela_lanes first, candela_lanes second) {
  return (candela_lanes)__builtin_ia32_maxps256((candela_vector)first, (candela_vector)second);
}

/// The smaller of two numbers, or the second if one of them is NaN.
static inline __attribute__((always_inline)) candela_lanes candela_smaller(
    candela_lanes first, candela_lanes second) {
  return (candela_lanes)__builtin_ia32_minps256((candela_vector)first, (candela_vector)second);
}

/// 1 if all integers are negative.
static inline __attribute__((always_inline)) int candela_all(candela_places marks) {
  return __builtin_ia32_movmskps256((candela_vector)marks) == 0xFF;
}

#endif
