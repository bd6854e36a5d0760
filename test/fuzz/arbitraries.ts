import fc from 'fast-check'

// What both protocols can carry.

export const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((any) => any.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''))
export const int = fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31)))
export const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(
    -0,
    Number.MIN_VALUE,
    Number.MAX_VALUE,
    Number.EPSILON,
    2 ** 53,
    43061398839396250,
    1e21,
    1e-7,
    123456789.000001,
  ),
)
export const date = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})
export const bytes = fc.uint8Array({ maxLength: 50 })
export const bigint = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.integer().map(BigInt))
export const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
export const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a b', '0'))
export const struct = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(name, value), { maxLength: 5 }).map((members) => Object.fromEntries(members))

export const { any } = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    ...[fc.constant(null), fc.boolean(), int, double, text],
    fc.array(tie('any'), { maxLength: 5 }),
    struct(tie('any')),
  ),
}))
