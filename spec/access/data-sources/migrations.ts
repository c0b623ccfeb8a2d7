import { row } from '../expectation.ts';
import { adminsAnd } from '../presets.ts';

const operators = adminsAnd('migrationOperator');
const why = 'The group needs a MigrationOperator; migrations are on in the fixture of the matrix.';
const group = '/svc/api/migrations';

/** Data migration: for a MigrationOperator, who need not read the projects of the data sources. */
export const migrationRows = [
  row(`GET ${group}/data-sources`, operators, why),
  row(`GET ${group}/data-sources/{id}/tables`, operators, why),
  row(`POST ${group}/preview`, operators, why),
  row(`GET ${group}/jobs`, operators, why),
  row(`POST ${group}/jobs`, operators, why),
  row(`GET ${group}/jobs/{id}`, operators, why),
  row(`PUT ${group}/jobs/{id}`, operators, why),
  row(`DELETE ${group}/jobs/{id}`, operators, why),
  row(`POST ${group}/jobs/{id}/validate`, operators, why),
  row(`POST ${group}/jobs/{id}/run`, operators, why),
  row(`GET ${group}/executions`, operators, why),
  row(`GET ${group}/executions/{id}`, operators, why),
  row(`POST ${group}/executions/{id}/cancel`, operators, why),
  row(`POST ${group}/executions/{id}/retry`, operators, why),
  row(`GET ${group}/executions/{id}/rejected`, operators, why),
] as const;
