// The memory of a block while it is decoded. It is used from its start again for each block, and never freed.

const PAGE_BITS = 16;

/** The first free address. */
let top: usize = __heap_base;

/** Frees everything. */
export function reset(): void {
  top = __heap_base;
}

/** Returns the address of `length` bytes, whose values are undefined. Traps if the runtime has no more memory. */
export function allocate(length: usize): usize {
  const address = top;
  top = (top + length + 15) & ~15;
  const missing = <isize>top - ((<isize>memory.size()) << PAGE_BITS);
  if (missing > 0 && memory.grow(<i32>((missing + 0xffff) >> PAGE_BITS)) < 0) unreachable();
  return address;
}
