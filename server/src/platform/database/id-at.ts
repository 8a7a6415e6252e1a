/** SQL: below every id that is made at this time or later, as `idBefore`. @param time SQL of a `timestamptz` */
export const idAt = (time: string): string =>
  `(lpad(to_hex(floor(extract(epoch from ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
