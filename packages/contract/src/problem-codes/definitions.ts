import type { ProblemTable } from './problem-table.ts';

/** Codes of records that files define. */
export const definitionsProblems = {
  'invalid-definition': {
    status: 400,
    title: 'Invalid definition',
    means:
      'A file cannot be read, stands where no record belongs, or a member of it is wrong. `errors` names each as `path/of/file.yaml#/member`.',
    next: 'Correct the files and plan again.',
    operations: ['planDefinitions'],
  },
  'unknown-reference': {
    status: 400,
    title: 'Unknown reference',
    means:
      'A definition refers to a record that is neither in the files nor in the service, or that the caller may not see.',
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
    means: 'A plan is applied once, and this one was, perhaps by a request at the same time.',
    next: 'Plan again: what was done is unchanged in the new plan.',
    operations: ['applyDefinitions'],
  },
  'too-many-deletions': {
    status: 409,
    title: 'Too many deletions',
    means:
      'The plan deletes more than a fifth of what its manager applied, as it does where a folder is read by mistake.',
    next: 'Look at the plan. Where it is right, apply it with `force`.',
    operations: ['applyDefinitions'],
  },
  'managed-from-code': {
    status: 409,
    title: 'Managed from files',
    means:
      'The record is managed from files: what its file says is changed there, and by applying the folder that manages it, and in no other way.',
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
