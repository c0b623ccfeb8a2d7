import type { ProblemTable } from './problem-table.ts';

/** Codes of data contracts. */
export const dataQualityProblems = {
  'custom-sql-rule': {
    status: 403,
    title: 'Custom SQL rule',
    means: 'The request adds, changes or moves a custom SQL rule. Only an Admin may do this.',
    next: 'Have an Admin save the contract, or use rules of other types.',
    operations: ['createDataContract', 'replaceDataContract', 'checkContractRules', 'importDataContracts'],
  },
  'evaluation-running': {
    status: 409,
    title: 'Evaluation runs',
    means: 'An evaluation of the data contract is queued or running. Only one can run at a time.',
    next: 'Wait for its end.',
    operations: ['evaluateDataContract'],
  },
  'invalid-contract': {
    status: 400,
    title: 'Invalid data contract',
    means:
      'A table, column or rule does not fit the metadata of the data source, or some members contradict each other.',
    next: 'Correct each member that `errors` names; refresh the metadata if the table is new.',
    operations: ['createDataContract', 'replaceDataContract', 'checkContractRules', 'importDataContracts'],
  },
  'invalid-odcs-document': {
    status: 400,
    title: 'Not an ODCS document',
    means:
      'The document is not valid YAML for this service, or not a data contract of version 3.0.x or 3.1.x of the Open Data Contract Standard.',
    next: 'Correct what `errors` names. Anchors, aliases, tags and directives are not read; the document has at most 1 MB.',
    operations: ['importDataContracts'],
  },
} as const satisfies ProblemTable;
