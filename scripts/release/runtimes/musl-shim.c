/*
 * SPDX-License-Identifier: MIT
 *
 * Functions of glibc that Debian's libstdc++ needs and musl lacks, good enough to run an addon (see musl.mjs).
 */
#define _GNU_SOURCE
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

char __libc_single_threaded = 0;

/* Not found: then the unwinder asks dl_iterate_phdr, as it did before glibc 2.35. */
int _dl_find_object(void *address, void *result) {
    (void)address, (void)result;
    return -1;
}

uint32_t arc4random(void) {
    uint32_t number = 0;
    if (getentropy(&number, sizeof number) != 0) abort();
    return number;
}

size_t __strftime_l(char *text, size_t size, const char *format, const struct tm *time, locale_t locale) {
    return strftime_l(text, size, format, time, locale);
}

/* Destructors of a thread's objects are never run. */
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library) {
    (void)destroy, (void)object, (void)library;
    return 0;
}

/* std::istream::ignore(streamsize) and std::wistream's. */
void _ZNSi6ignoreEl(void) { abort(); }
void _ZNSt13basic_istreamIwSt11char_traitsIwEE6ignoreEl(void) { abort(); }
