const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Node kinds that a read may contain. The gate refuses every other kind. It therefore never passes on an unknown
 * statement, or a function that a newer grammar represents by its own node.
 */
export const readNodeKinds: ReadonlySet<string> = new Set([
  ...words('SelectStmt ExplainStmt VariableShowStmt'),
  // Names, constants and types.
  ...words('A_Const A_Star Boolean BitString ColumnRef Float Integer List ParamRef String TypeName'),
  // Clauses.
  ...words('ColumnDef CommonTableExpr DefElem GroupingSet LockingClause ResTarget SortBy WindowDef'),
  // Tables.
  ...words(
    'JoinExpr RangeFunction RangeSubselect RangeTableFunc RangeTableFuncCol RangeTableSample RangeVar',
  ),
  // Expressions.
  ...words('A_ArrayExpr A_Expr A_Indices A_Indirection BoolExpr BooleanTest CaseExpr CaseWhen CoalesceExpr'),
  ...words('CollateClause FuncCall GroupingFunc MinMaxExpr NamedArgExpr NullTest RowExpr SQLValueFunction'),
  ...words('SubLink TypeCast XmlExpr XmlSerialize'),
  // SQL/JSON.
  ...words('JsonArgument JsonArrayAgg JsonArrayConstructor JsonArrayQueryConstructor JsonFuncExpr'),
  ...words('JsonIsPredicate JsonKeyValue JsonObjectAgg JsonObjectConstructor JsonParseExpr JsonScalarExpr'),
  ...words('JsonSerializeExpr JsonTable JsonTableColumn JsonTablePathSpec JsonValueExpr'),
]);

/** Fields with one fixed kind, which the JSON omits. The gate refuses an unknown field. */
export const fixedFields: ReadonlySet<string> = new Set([
  ...words('alias larg rarg withClause over typeName intoClause relation join_using_alias rel'),
  ...words('search_clause cycle_clause coldefClause'),
  // Values of constants.
  ...words('ival fval sval bsval boolval'),
  // SQL/JSON.
  ...words('output returning format value context_item pathspec on_empty on_error constructor func key'),
]);
