import type { ProblemTable } from './problem-table.ts';

/** Refusals about projects, data sources, queries and settings. */
export const projectsProblems = {
  'invalid-parameters': {
    status: 400,
    title: 'Invalid parameters',
    means: 'The parameters that the query declares do not fit together.',
    next: 'Correct the declaration that `detail` names.',
  },
  'invalid-range': {
    status: 400,
    title: 'Invalid time range',
    means: 'The time range ends before it begins, or spans too many days.',
    next: 'Choose a shorter range whose end is after its beginning.',
  },
  'invalid-setting': {
    status: 400,
    title: 'Invalid setting',
    means: 'The value does not fit the setting.',
    next: 'Enter a value of the kind and within the bounds that `detail` names.',
  },
  'name-repeated': {
    status: 400,
    title: 'Name repeated',
    means: 'Two steps or two parameters have the same name.',
    next: 'Give each its own name.',
  },
  'one-user-required': {
    status: 400,
    title: 'One user required',
    means: 'The request names no user, or names one in two ways.',
    next: 'Send either userId or userName.',
  },
  'query-empty': {
    status: 400,
    title: 'Query without steps',
    means: 'The query has no step yet, so there is nothing to run.',
    next: 'Add a step with a statement first.',
  },
  'secret-required': {
    status: 400,
    title: 'Secret required',
    means: 'The connection would lead elsewhere, and a saved secret is never sent to a new place.',
    next: 'Enter the secrets that `errors` names again.',
  },
  'step-source-not-linked': {
    status: 400,
    title: 'Data source not linked',
    means: 'A step reads a data source that is not linked to this project.',
    next: 'Link the data source to the project, or choose another one.',
  },
  'unknown-engine': {
    status: 400,
    title: 'Unknown engine',
    means: 'There is no data-source engine of this name.',
    next: 'Choose one that GET /svc/api/data-sources/engines lists.',
  },
  'unknown-user': {
    status: 400,
    title: 'Unknown user',
    means: 'There is no enabled user of this name or id.',
    next: 'Check the name, or choose another user.',
  },
  'link-not-allowed': {
    status: 403,
    title: 'Link not allowed',
    means:
      'Only a DataSourceAdmin, or a ProjectAdmin of a project that holds the data source already, may link it.',
    next: 'Ask one of them to link it.',
  },
  'project-right-required': {
    status: 403,
    title: 'Project right required',
    means: 'You may read this project, but not do this in it.',
    next: 'Ask a ProjectAdmin for the right that `detail` names.',
  },
  'already-a-member': {
    status: 409,
    title: 'Already a member',
    means: 'This user is a member of the project already.',
    next: 'Change the role of the member instead.',
  },
  'already-linked': {
    status: 409,
    title: 'Already linked',
    means: 'The data source is linked to this project already.',
    next: 'Use it in a query; there is nothing to do.',
  },
  'changed-while-read': {
    status: 409,
    title: 'Changed while it was read',
    means: 'The data source was changed while its metadata was read.',
    next: 'Try again.',
  },
  'connection-unreadable': {
    status: 409,
    title: 'Connection unreadable',
    means: 'The stored connection cannot be decrypted with the present keys.',
    next: 'Enter the connection again, or add the earlier key to Svc:PreviousEncryptionKeys.',
  },
  'data-source-in-use': {
    status: 409,
    title: 'Data source in use',
    means: 'Queries still use this data source.',
    next: 'Change or archive the queries that `detail` names first.',
  },
  'last-project-admin': {
    status: 409,
    title: 'Last ProjectAdmin',
    means: 'A restricted project keeps at least one ProjectAdmin.',
    next: 'Make somebody else ProjectAdmin first.',
  },
  'metadata-disabled': {
    status: 409,
    title: 'Metadata switched off',
    means: 'Reading metadata is switched off for this data source.',
    next: 'Switch it on in the data source first.',
  },
  'no-members': {
    status: 409,
    title: 'No members here',
    means:
      'The service keeps no users and the host application names no members, so a restricted project would be closed to all.',
    next: 'Leave the project open.',
  },
  'query-cannot-run': {
    status: 409,
    title: 'Query cannot run',
    means: 'The query of this subscription cannot run as it is.',
    next: 'Follow `detail`: restore the query or link its data sources.',
  },
  'query-gone': {
    status: 409,
    title: 'Query archived',
    means: 'The query of this subscription was archived.',
    next: 'Subscribe to another query.',
  },
  'source-not-linked': {
    status: 409,
    title: 'Data source no longer linked',
    means: "A data source of this query is no longer linked to the query's project.",
    next: 'Link it again, or change the step that reads it.',
  },
} as const satisfies ProblemTable;
