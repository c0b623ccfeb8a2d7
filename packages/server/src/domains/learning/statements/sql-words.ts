const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** SQL keywords, which are never names. */
export const keywords = list(`
  all and any array as asc between both by case cast collate cross current_date current_time current_timestamp cube
  desc distinct else end escape except exists false fetch filter first following for from full group grouping groups
  having ilike in inner intersect interval into is isnull join last lateral leading left like limit materialized
  natural next no not notnull null nulls of offset on only or order ordinality outer over partition percent preceding
  qualify range recursive regexp right rlike rollup row rows select sets similar some sounds straight_join tablesample
  then ties to top trailing true unbounded union unknown using values when where window with within xor
`);

/** Functions that several engines share. Shapes contain their names. */
export const functions = list(`
  abs array_agg avg cast ceil ceiling char_length coalesce concat concat_ws count cume_dist current_date date date_add
  date_diff date_format date_part date_sub date_trunc datediff day dense_rank exp extract first_value floor format
  generate_series greatest group_concat hour if ifnull jsonb_agg json_agg lag last_value lead least left length ln log
  lower lpad ltrim max md5 median min minute mod month now nth_value ntile nullif percent_rank percentile_cont
  percentile_disc position power quarter rank regexp_replace replace reverse right round row_number rpad rtrim second
  sign split_part sqrt stddev strftime string_agg strpos substr substring sum timestampdiff to_char to_date
  to_timestamp trim trunc truncate upper variance week year
`);

/** Keywords that end the list of tables of a FROM. */
export const endsFrom = list(
  'where group order having limit union intersect except window offset fetch select qualify',
);
