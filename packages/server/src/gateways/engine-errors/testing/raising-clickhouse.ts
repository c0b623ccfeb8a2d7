/** Statements of ClickHouse whose error would repeat the values of `customers`. */
export const raisingClickhouse: readonly string[] = `
select throwIf(1, iban) from customers
select throwIf(id = 1, 'found') from customers where iban like 'DE%'
select toInt32(iban) from customers
select toInt64(email) from customers
select toUInt8(name) from customers
select toInt128(iban) from customers
select toInt256(iban) from customers
select toUInt64(concat(iban, email)) from customers
select toFloat64(iban) from customers
select toFloat32(email) from customers
select toDecimal32(iban, 2) from customers
select toDecimal64(email, 2) from customers
select toDecimal128(iban, 2) from customers
select toDate(iban) from customers
select toDate32(email) from customers
select toDateTime(iban) from customers
select toDateTime64(iban, 3) from customers
select parseDateTimeBestEffort(iban) from customers
select parseDateTimeBestEffort(email) from customers
select parseDateTime64BestEffort(email) from customers
select parseDateTime(iban, '%Y-%m-%d') from customers
select parseDateTimeInJodaSyntax(iban, 'yyyy-MM-dd') from customers
select toUUID(iban) from customers
select toIPv4(iban) from customers
select toIPv6(email) from customers
select IPv4StringToNum(iban) from customers
select IPv6StringToNum(iban) from customers
select cast(iban as Int32) from customers
select cast(iban as UUID) from customers
select cast(email as Date) from customers
select cast(iban as Array(Int32)) from customers
select cast(iban as Map(String, Int32)) from customers
select cast(iban as Enum('a' = 1)) from customers
select cast(iban as Tuple(Int32, Int32)) from customers
select cast(iban as FixedString(3)) from customers
select toFixedString(iban, 3) from customers
select iban::Int32 from customers
select iban::Bool from customers
select toBool(iban) from customers
select accurateCast(iban, 'Int32') from customers
select toInt32(arrayStringConcat(groupArray(iban), '|')) from customers
select toInt32(toString(groupArray(tuple(name, email, iban)))) from customers
select toInt32(concat(name, '\\n', email)) from customers
select toInt32(toJSONString(map('k', iban))) from customers
select toInt32(hex(iban)) || '' from customers
select toInt32(reverse(iban)) from customers
select toInt32(base64Encode(iban)) from customers
select toInt32(upper(email)) from customers
select toInt32((select iban from customers limit 1))
select cast((select email from customers limit 1) as Int64)
select base64Decode(iban) from customers
select base58Decode(email) from customers
select unhex(iban)::Int32 from customers
select extractAll(name, iban || '(') from customers
select match(name, iban || '(') from customers
select replaceRegexpAll(name, email || '(', '') from customers
select multiMatchAny(name, [iban || '(']) from customers
select dictGet(iban, 'x', 1) from customers
select getSetting(iban) from customers
select formatDateTime(now(), '%' || iban) from customers
select toTypeName(toInt32(iban)) , toInt32(iban) from customers
select toTimeZone(now(), iban) from customers
select now(iban) from customers
select toIntervalDay(toInt32(iban)) from customers
select parseReadableSize(iban) from customers
select toInt32(card || '-') from (select toString(card) as card from customers)
select addDays(toDate(iban), 1) from customers
select JSONExtract(iban, 'x', iban) from customers
select geohashDecode(iban), toInt32(iban) from customers
select evalMLMethod(iban) from customers
select readWKTPoint(iban) from customers
select ULIDStringToDateTime(iban) from customers
select snowflakeIDToDateTime(toUInt64(iban)) from customers
select arrayElement([1], toInt32(iban)) from customers
select number from numbers(toUInt64((select iban from customers limit 1)))
select transform(toInt32(iban), [1], [2]) from customers
`
  .split('\n')
  .filter((line) => line !== '');
