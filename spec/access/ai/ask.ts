import { row } from '../expectation.ts';
import { admins, adminsAnd, projectReaders, projectRunners, readers } from '../presets.ts';

const own = 'Whoever asked, as long as they read the project';
const costs = 'it may call the language model, so keys need Execute.';

/** Questions about data, and the use of the language model. */
export const askRows = [
  row('GET /svc/api/ask/conversations', readers, 'Own conversations in readable projects.'),
  row('POST /svc/api/ask/conversations', projectRunners, `Readers of the project ask; ${costs}`),
  row('GET /svc/api/ask/conversations/{id}', projectReaders, `${own}.`),
  row('DELETE /svc/api/ask/conversations/{id}', projectRunners, `${own}; a change, so keys need Execute.`),
  row('POST /svc/api/ask/conversations/{id}/questions', projectRunners, `${own}; ${costs}`),
  row('GET /svc/api/ask/answers/{id}', projectReaders, `${own}.`),
  row('POST /svc/api/ask/answers/{id}/run', projectRunners, `${own}; it runs SQL, so keys need Execute.`),
  row('POST /svc/api/ask/answers/{id}/explain', projectRunners, `${own}; ${costs}`, { passesWith: [409] }),
  row('POST /svc/api/ask/answers/{id}/cancel', projectRunners, `${own}; a change, so keys need Execute.`),
  row('POST /svc/api/ask/answers/{id}/feedback', projectRunners, `${own}; a change, so keys need Execute.`),
  row('GET /svc/api/llm/status', readers, 'Who may ask sees whether there is somebody to answer.'),
  row(
    'GET /svc/api/llm/usage',
    adminsAnd('auditor', 'securityAdmin'),
    'What everybody used is for Auditors and SecurityAdmins.',
  ),
  row(
    'GET /svc/api/llm/calls',
    adminsAnd('auditor', 'securityAdmin'),
    'Calls without what they were about are read like the usage.',
  ),
  row(
    'GET /svc/api/llm/calls/{id}/content',
    admins,
    'Prompts and answers hold questions of people in every project: Admins alone.',
  ),
  row('GET /svc/api/llm/usage/own', readers, 'What one used oneself.'),
] as const;
