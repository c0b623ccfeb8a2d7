import type { RequirementEntry } from '../../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.3: records as files. */
export const definitions = [
  {
    id: 'RT-4.3-980',
    section: '4.3',
    text: 'The `/svc/api/definitions` group exports data sources, recipients, projects, queries, data contracts and subscriptions as YAML, a file each, without ids, times and defaults.',
  },
  {
    id: 'RT-4.3-981',
    section: '4.3',
    text: 'What was exported, wiped and applied is exported again equal in every byte.',
  },
  {
    id: 'RT-4.3-982',
    section: '4.3',
    text: 'A plan names for every record what applying the files would do and which members would change, and changes nothing.',
  },
  {
    id: 'RT-4.3-983',
    section: '4.3',
    text: 'A plan says that somebody changed a record since it was applied, and applying it puts the record back.',
  },
  {
    id: 'RT-4.3-984',
    section: '4.3',
    text: 'Applying a change that the approval workflow governs files the request, and nothing of the change takes effect before its approval.',
  },
  {
    id: 'RT-4.3-985',
    section: '4.3',
    text: 'An API key applies queries, data contracts and subscriptions of its projects, and every other step is not allowed.',
  },
  {
    id: 'RT-4.3-986',
    section: '4.3',
    text: 'Applying another schedule makes a new subscription of the same slug in place of the one before, which is archived.',
  },
  {
    id: 'RT-4.3-987',
    section: '4.3',
    text: 'A plan is applied once, by whoever planned it.',
  },
  {
    id: 'RT-4.3-988',
    section: '4.3',
    text: 'Records whose files are gone are deleted only where the plan prunes, and more than a fifth of them only by force.',
  },
  {
    id: 'RT-4.3-989',
    section: '4.3',
    text: 'A file that says what its kind does not know is refused, and the refusal names the file and the member.',
  },
  {
    id: 'RT-4.3-990',
    section: '4.3',
    text: 'No value of a secret is in an export, a plan or an answer of an apply.',
  },
  {
    id: 'RT-4.3-991',
    section: '4.3',
    text: 'The slug of a record stays when its name changes, and is changed by PATCH.',
  },
  {
    id: 'RT-4.3-992',
    section: '4.3',
    text: 'A step that fails stops those that depend on it and no others, and planning and applying again does the rest.',
  },
  {
    id: 'RT-4.3-993',
    section: '4.3',
    text: '`svc export`, `svc plan`, `svc apply` and `svc drift` end with 3 where something differs, with 4 where something waits for approval and with 5 where something is not allowed.',
  },
  {
    id: 'RT-4.3-994',
    section: '4.3',
    text: '`svc export` into a folder keeps the comments and the order of files that are there.',
  },
  {
    id: 'RT-4.3-995',
    section: '4.3',
    text: 'The commands follow no link of a folder, and write nothing outside of it.',
  },
  {
    id: 'RT-4.3-1000',
    section: '4.3',
    text: 'Migration jobs, the settings of the service and those of MCP, for all projects and for one, are exported, planned and applied as files, and come out equal in every byte.',
  },
  {
    id: 'RT-4.3-1001',
    section: '4.3',
    text: 'A file of settings says what is set at run time: what it leaves out holds as where nothing is set, and so does everything once the file is gone and pruned.',
  },
  {
    id: 'RT-4.3-1002',
    section: '4.3',
    text: 'The keys of the connection to the language model are secrets that a file of settings names and never holds.',
  },
  {
    id: 'RT-4.3-1003',
    section: '4.3',
    text: 'Migration jobs and settings are exported and applied by whom their own routes admit, and are not there for anybody else.',
  },
  {
    id: 'RT-4.3-1004',
    section: '4.3',
    text: 'A step that sets what the configuration locks or caps, or that belongs to a part which is switched off, is not allowed and names the setting.',
  },
  {
    id: 'RT-4.3-1005',
    section: '4.3',
    text: 'A record that was applied as managed is changed by no route but an apply of its own manager: what its file says is refused by hand with 409 `managed-from-code`, which names the manager and what to do.',
  },
  {
    id: 'RT-4.3-1006',
    section: '4.3',
    text: 'What no file says of a managed record, such as pauses, folders and runs, is done by hand as before.',
  },
  {
    id: 'RT-4.3-1007',
    section: '4.3',
    text: 'An Admin gives a managed record back to whoever may change it by hand, which the audit tells, and nobody else does.',
  },
  {
    id: 'RT-4.3-1008',
    section: '4.3',
    text: 'Applying a folder as managed gives back the managed records whose files are gone, and deletes none of them.',
  },
  {
    id: 'RT-4.3-1009',
    section: '4.3',
    text: 'A step on a record that another manager manages is not allowed, and says whose it is.',
  },
  {
    id: 'RT-4.3-1010',
    section: '4.3',
    text: 'Records are applied unmanaged unless the plan says otherwise, and applying unmanaged releases none.',
  },
  {
    id: 'RT-4.3-1011',
    section: '4.3',
    text: 'With `Svc:Provisioning:Folder` and `Svc:Provisioning:ActAs` the standalone host applies a folder at each start, before it serves, with the rights of that user and no others.',
  },
  {
    id: 'RT-4.3-1012',
    section: '4.3',
    text: 'A folder that is not applied in full ends the start where `Svc:Provisioning:OnError` is `Stop`, and otherwise is told in sentences while the service serves.',
  },
  {
    id: 'RT-4.3-1013',
    section: '4.3',
    text: 'What applying the folder at the start came to stands in the audit, and the doctor tells it with what to do.',
  },
  {
    id: 'RT-4.3-1014',
    section: '4.3',
    text: 'Processes that start at once apply the folder one after the other, and one that was killed half-way is followed by a start that applies the rest.',
  },
  {
    id: 'RT-4.3-1015',
    section: '4.3',
    text: 'While nobody has set the service up, its start does not end for the folder: it is applied at the next start after that.',
  },
  {
    id: 'RT-4.3-1016',
    section: '4.3',
    text: '`svc apply --host --as USER` and its sisters `plan` and `drift` do on the machine of the service, without a key, what they do over HTTP, with the rights of that user, and the audit tells it.',
  },
  {
    id: 'RT-4.3-1017',
    section: '4.3',
    text: '`--token-file` reads the key from a file, which is refused where others may read it.',
  },
  {
    id: 'RT-4.3-1018',
    section: '4.3',
    text: 'A folder that is larger than the service takes is refused by the commands with its size, the setting that bounds it and another way.',
  },
  {
    id: 'RT-4.3-1019',
    section: '4.3',
    text: 'The page of a managed record says that it is managed from files and of which manager, tells why a change is refused, and offers an Admin to release it.',
  },
  {
    id: 'RT-4.3-1070',
    section: '4.3',
    text: 'The editors of a managed query and of a managed data contract say that the record is managed from files and of which manager, before a change is saved.',
  },
] as const satisfies readonly RequirementEntry[];
