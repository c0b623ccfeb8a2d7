const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Functions whose result contains no value of an argument, such as counts, ranks, booleans and types. */
export const valuelessFunctions = names(`
  count count_star count_if countif approx_count_distinct regr_count rank rank_dense dense_rank row_number ntile
  percent_rank cume_dist bool_and bool_or contains prefix suffix starts_with ends_with regexp_matches regexp_full_match
  like_escape not_like_escape ilike_escape not_ilike_escape ~~ !~~ ~~* !~~* ~~~ typeof pg_typeof json_type json_valid
  json_exists json_contains list_contains list_has array_contains array_has list_has_any list_has_all map_contains isnan
  isinf isfinite now current_date current_time current_timestamp get_current_timestamp today random setseed uuid uuidv4
  uuidv7 gen_random_uuid current_query current_database current_schema current_schemas current_user version
  current_setting getvariable current_connection_id current_transaction_id current_query_id grouping grouping_id`);

/** Aggregates that return a value of their first argument. The second argument selects the row. */
export const firstArgumentFunctions = names(
  'arg_min arg_max argmin argmax min_by max_by arg_min_null arg_max_null arg_min_nulls_last arg_max_nulls_last',
);

/** Functions whose arguments after the first argument name members of a document, a struct or a map. */
export const memberFunctions = names(`
  -> ->> json_extract json_extract_path json_extract_string json_extract_path_text json_value json_query array_extract
  struct_extract map_extract map_extract_value element_at list_extract json_transform json_transform_strict from_json
  from_json_strict json_structure json_array_length json_keys`);

/** Functions that return members of a document as values. The statement does not contain their names. */
export const spreadingFunctions = names('map_values map_entries struct_values json_each json_tree');

/** Functions whose argument after the list is a lambda. */
export const lambdaFunctions = names(`
  list_transform list_apply apply array_transform array_apply list_filter filter array_filter list_reduce reduce
  array_reduce`);

/** Functions in FROM that return one column with values of their arguments. */
export const oneColumnFunctions: ReadonlyMap<string, string> = new Map([
  ['range', 'range'],
  ['generate_series', 'generate_series'],
  ['unnest', 'unnest'],
]);

/** Functions in FROM that return statistics of a table, including minimum and maximum values. */
export const statisticsFunctions = names(
  'pragma_storage_info parquet_metadata parquet_bloom_probe histogram histogram_values',
);

/** Returns true for catalogue functions in FROM, whose result contains no value of a table. */
export const isCatalogueFunction = (name: string): boolean =>
  (name.startsWith('duckdb_') && !name.startsWith('duckdb_logs')) ||
  ['pragma_table_info', 'pragma_database_size', 'pragma_show', 'pragma_version', 'test_all_types'].includes(
    name,
  );
