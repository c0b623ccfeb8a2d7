import type { LineageExpression } from '../../lineage/query.ts';

/** Functions and operators of an engine that matter for the flow of values. */
export type FunctionFacts = {
  /** Functions whose result reveals no value of an argument. */
  readonly valueless: ReadonlySet<string>;
  /** Functions whose result depends only on the arguments. */
  readonly pure: ReadonlySet<string>;
  /** Functions that turn members of a document into values. */
  readonly spreading: ReadonlySet<string>;
  /** Functions in FROM with one column of the arguments' values, and the column's own name, if any. */
  readonly oneColumn: ReadonlyMap<string, string | undefined>;
  /** Functions in FROM with several columns. */
  readonly tables: ReadonlyMap<string, readonly FunctionColumn[]>;
  /** Functions that return texts of other users' statements, with the view whose column `query` contains these texts. */
  readonly statementTexts: ReadonlyMap<string, string>;
  readonly truthOperators: ReadonlySet<string>;
  readonly memberOperators: ReadonlySet<string>;
};

/** Column of a function in FROM. `value` derives its value from the value of the call. */
export type FunctionColumn = {
  readonly name: string;
  readonly value: (call: LineageExpression) => LineageExpression;
};

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Functions whose result reveals no value of an argument: counts, positions in an order, types. */
const valueless = names(`
  count regr_count rank dense_rank row_number ntile percent_rank cume_dist bool_and bool_or every num_nulls num_nonnulls
  pg_typeof now clock_timestamp statement_timestamp transaction_timestamp timeofday random gen_random_uuid
  has_table_privilege has_column_privilege has_schema_privilege starts_with regexp_like
  jsonb_path_exists jsonb_path_match json_typeof jsonb_typeof isfinite isempty`);

/**
 * Functions of PostgreSQL whose result depends only on their arguments. Any other function may read tables: its own
 * name and the name of the result column count as sources.
 */
const pure = names(`
  abs acos age any_value array_agg array_append array_cat array_fill array_length array_lower array_ndims array_position
  array_positions array_prepend array_remove array_replace array_to_json array_to_string array_upper ascii asin atan atan2
  avg bit_and bit_count bit_length bit_or bit_xor btrim cardinality cbrt ceil ceiling char_length character_length chr
  coalesce concat concat_ws convert_from convert_to corr cos cot covar_pop covar_samp crc32 date_bin date_part date_trunc
  decode degrees div encode erf exp extract factorial first_value floor format gcd generate_series generate_subscripts
  get_bit get_byte greatest hashtext initcap json_agg json_array_elements json_array_elements_text json_array_length
  json_build_array json_build_object json_extract_path json_extract_path_text json_object json_object_agg json_object_keys
  json_strip_nulls jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
  jsonb_build_object jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_agg
  jsonb_object_keys jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls
  justify_days justify_hours justify_interval lag last_value lcm lead least left length ln log log10 lower lpad ltrim
  make_date make_interval make_time make_timestamp make_timestamptz max md5 min mod mode normalize nth_value nullif
  octet_length overlay parse_ident percentile_cont percentile_disc pi position power quote_ident quote_literal
  quote_nullable radians range_agg regexp_count regexp_instr regexp_match regexp_matches regexp_replace regexp_split_to_array
  regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
  repeat replace reverse right round row_to_json rpad rtrim scale sha224 sha256 sha384 sha512 sign sin split_part sqrt
  stddev stddev_pop stddev_samp string_agg string_to_array string_to_table strpos substr substring sum tan timezone to_ascii
  to_char to_date to_hex to_json to_jsonb to_number to_timestamp to_tsvector to_tsquery plainto_tsquery translate
  trim_array trim_scale trunc ts_headline ts_rank unaccent unnest upper var_pop var_samp variance width_bucket xmlagg
  daterange int4range int8range numrange tsrange tstzrange isodow host masklen network date time timestamp timestamptz
  interval text int4 int8 numeric float4 float8 bool pg_size_pretty to_bin to_oct current_database current_schema version`);

/** Functions in FROM with one column of their arguments' values, and the column's own name. */
const oneColumn: ReadonlyMap<string, string | undefined> = new Map([
  ...[
    ...names(
      `generate_series generate_subscripts unnest regexp_split_to_table regexp_matches string_to_table json_object_keys
       jsonb_object_keys jsonb_path_query`,
    ),
  ].map((name) => [name, undefined] as const),
  ...[
    ...names('json_array_elements json_array_elements_text jsonb_array_elements jsonb_array_elements_text'),
  ].map((name) => [name, 'value'] as const),
]);

/** Functions that turn members of a document into columns or rows. The names of the members are not in the statement. */
const spreading = names(`json_each json_each_text jsonb_each jsonb_each_text each svals avals`);

/** Functions that return texts of other users' statements, with the view whose column `query` represents them. */
const statementTexts: ReadonlyMap<string, string> = new Map([
  ['pg_stat_get_activity', 'pg_stat_activity'],
  ['pg_stat_get_backend_activity', 'pg_stat_activity'],
  ['pg_stat_statements', 'pg_stat_statements'],
]);

/** Operators with a truth value. `<<` is not one: it shifts the bits of numbers. */
const truthOperators = names(
  `= <> != < > <= >= ~ ~* !~ !~* ~~ ~~* !~~ !~~* ~>=~ ~>~ ~<=~ ~<~ @> <@ && ? ?| ?& @@ @@@ @? -|- ^@ ~= <<= >>=`,
);

/** Operators whose right operand names a member of a document. */
const memberOperators = names(`-> ->> #> #>>`);

/** Facts about PostgreSQL's functions and operators. */
export const postgresqlFacts: FunctionFacts = {
  valueless,
  pure,
  spreading,
  oneColumn,
  tables: new Map(),
  statementTexts,
  truthOperators,
  memberOperators,
};
