import type { ProblemTable } from './problem-table.ts';

/** Codes of records that files define. */
export const definitionsProblems = {
  'invalid-definition': {
    status: 400,
    title: 'Invalid definition',
    means:
      'A file cannot be read, is in the wrong folder, or has a member that is not valid. `errors` names each as `path/of/file.yaml#/member`.',
    next: 'Correct the files and plan again.',
    operations: ['planDefinitions'],
  },
  'unknown-reference': {
    status: 400,
    title: 'Unknown reference',
    means:
      'A definition refers to a record that does not exist in the files or in the service, or that the caller may not see.',
    next: 'Correct the slug, or add the file of the record.',
    operations: ['planDefinitions'],
  },
  'secret-missing': {
    status: 400,
    title: 'Secret missing',
    means: 'A definition refers to a secret whose value was not sent.',
    next: 'Send the secrets that the step of the plan names in `needsSecrets`.',
    operations: ['applyDefinitions'],
  },
  'plan-applied': {
    status: 409,
    title: 'Plan applied already',
    means: 'The plan was already applied, possibly by a concurrent request. A plan can be applied only once.',
    next: 'Plan again: what was done is unchanged in the new plan.',
    operations: ['applyDefinitions'],
  },
  'too-many-deletions': {
    status: 409,
    title: 'Too many deletions',
    means:
      'The plan deletes more than a fifth of the records that its manager applied. A wrong folder can be the cause.',
    next: 'Look at the plan. Where it is right, apply it with `force`.',
    operations: ['applyDefinitions'],
  },
  'managed-from-code': {
    status: 409,
    title: 'Managed from files',
    means:
      'Files manage the record. The content of its file can be changed only in the file, by applying its folder.',
    next: 'Change the file and apply its folder. Where it shall be changed by hand again, an Admin releases the record.',
    operations: ['applyDefinitions', 'changeDefinitionSlug'],
  },
  'slug-taken': {
    status: 409,
    title: 'Slug taken',
    means: 'Another record of the same kind, in the same project, has this slug.',
    next: 'Choose another one.',
    operations: ['changeDefinitionSlug'],
  },
} as const satisfies ProblemTable;
