import { SQLDialect } from '@codemirror/lang-sql';

/** Normalizes spaces: the library expects one space between two words. */
const words = (text: string): string => text.trim().split(/\s+/).join(' ');

const keywords = words(`
  all and anti any apply array as asc asof between both by case cast columns cross cube current database desc describe
  distinct div else end estimate except exists explain extract false final first following for from full global group
  grouping having ilike in inner interpolate intersect interval into is join last leading left like limit materialized
  mod natural not null nulls offset on or order outer over partition pipeline plan preceding prewhere qualify range
  recursive replace right rollup row rows sample select semi sets settings show substring syntax table then ties to top
  trailing trim true unbounded union using values view when where window with within`);

const types = words(`
  aggregatefunction bfloat16 bool date date32 datetime datetime64 decimal decimal32 decimal64 decimal128 decimal256
  dynamic enum8 enum16 fixedstring float32 float64 int8 int16 int32 int64 int128 int256 ipv4 ipv6 json lowcardinality
  map nested nothing nullable point polygon ring simpleaggregatefunction string tuple uint8 uint16 uint32 uint64 uint128
  uint256 uuid variant`);

/** ClickHouse: a backslash escapes, `"` or a backtick quotes names. */
export const clickhouseDialect = SQLDialect.define({
  keywords,
  types,
  backslashEscapes: true,
  hashComments: true,
  identifierQuotes: '"`',
});
