/** Binary logarithms of numbers of at least 1, within 0.01: the exponent plus a parabola through the fraction. */
// @inline
export function logarithms(numbers: v128): v128 {
  const exponents = f32x4.convert_i32x4_s(i32x4.sub(i32x4.shr_u(numbers, 23), i32x4.splat(127)));
  const fractions = v128.or(v128.and(numbers, i32x4.splat(0x7fffff)), i32x4.splat(0x3f800000));
  const slope = f32x4.sub(f32x4.splat(2), f32x4.mul(fractions, f32x4.splat(1 / 3)));
  return f32x4.add(exponents, f32x4.sub(f32x4.mul(fractions, slope), f32x4.splat(5 / 3)));
}

// @inline
export function sumLanes(lanes: v128): i32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}
