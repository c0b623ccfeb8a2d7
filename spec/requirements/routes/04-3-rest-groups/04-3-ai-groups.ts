import type { RequirementEntry } from '../../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.3. */
export const aiGroups = [
  { id: 'RT-4.3-52', section: '4.3', text: 'The `/svc/api/ai-actors` group covers AI actors.' },
  { id: 'RT-4.3-590', section: '4.3', text: 'The `/svc/api/ai-actors` group has an AI actor think.' },
  { id: 'RT-4.3-591', section: '4.3', text: 'The `/svc/api/ai-actors` group pauses an AI actor.' },
  { id: 'RT-4.3-592', section: '4.3', text: 'The `/svc/api/ai-actors` group resumes an AI actor.' },
  {
    id: 'RT-4.3-593',
    section: '4.3',
    text: 'The `/svc/api/ai-actors` group refines what an AI actor proposes by feedback.',
  },
  { id: 'RT-4.3-594', section: '4.3', text: 'The `/svc/api/ai-actors` group covers plans of AI actors.' },
  { id: 'RT-4.3-53', section: '4.3', text: '`PUT /svc/api/ai-actors/{id}/owner` needs a UserAdmin.' },
  {
    id: 'RT-4.3-54',
    section: '4.3',
    text: 'The `/svc/api/mcp` group covers MCP settings and their locks.',
  },
  {
    id: 'RT-4.3-541',
    section: '4.3',
    text: 'The `/svc/api/mcp` group covers the MCP settings of a project.',
  },
  {
    id: 'RT-4.3-542',
    section: '4.3',
    text: 'The `/svc/api/mcp` group covers learned patterns, of projects that the caller reads.',
  },
  {
    id: 'RT-4.3-543',
    section: '4.3',
    text: 'The `/svc/api/mcp` group covers documentation patches, of projects that the caller reads.',
  },
  {
    id: 'RT-4.3-544',
    section: '4.3',
    text: 'The `/svc/api/mcp` group covers learning statistics, of projects that the caller reads.',
  },
  {
    id: 'RT-4.3-545',
    section: '4.3',
    text: 'The `/svc/api/mcp` group covers the tools of the playground.',
  },
  {
    id: 'RT-4.3-546',
    section: '4.3',
    text: 'The `/svc/api/mcp` group covers the audit log.',
  },
  {
    id: 'RT-4.3-56',
    section: '4.3',
    text: '`POST /svc/api/mcp/tools/run` needs the scope Execute from scoped callers.',
  },
  { id: 'RT-4.3-57', section: '4.3', text: '`GET /svc/api/mcp/audit` needs an Auditor.' },
  {
    id: 'RT-4.3-58',
    section: '4.3',
    text: 'The `/svc/api/eval` group covers golden examples.',
  },
  {
    id: 'RT-4.3-474',
    section: '4.3',
    text: 'A question for which there is a golden example is answered by its statement, without a language model.',
  },
  {
    id: 'RT-4.3-847',
    section: '4.3',
    text: 'Where several statements are written for a question, the answer is one whose rows most of them give.',
  },
  {
    id: 'RT-4.3-848',
    section: '4.3',
    text: 'No row of an answer goes to a language model while the MCP settings of its project do not let masked rows go there.',
  },
  {
    id: 'RT-4.3-849',
    section: '4.3',
    text: 'A language model that explains an answer sees its rows masked.',
  },
  {
    id: 'RT-4.3-850',
    section: '4.3',
    text: 'A question in a project whose MCP settings switch questions off is refused with 403.',
  },
  {
    id: 'RT-4.3-851',
    section: '4.3',
    text: 'A project whose MCP settings want checked answers alone has no question answered by a language model.',
  },
  {
    id: 'RT-4.3-960',
    section: '4.3',
    text: 'An answer whose statement sums values over a join that repeats their rows says so, as far as keys of its data source tell, and is given all the same.',
  },
  {
    id: 'RT-4.3-961',
    section: '4.3',
    text: 'An answer whose statement compares a column with a value that is none of those which its type or a data contract of the project lists says so, without reading a row for that.',
  },
  { id: 'RT-4.3-480', section: '4.3', text: 'The `/svc/api/eval` group covers candidates.' },
  { id: 'RT-4.3-481', section: '4.3', text: 'The `/svc/api/eval` group covers feedback.' },
  { id: 'RT-4.3-482', section: '4.3', text: 'The `/svc/api/eval` group covers a grounding re-check.' },
  { id: 'RT-4.3-483', section: '4.3', text: 'The `/svc/api/eval` group covers eval runs.' },
  { id: 'RT-4.3-844', section: '4.3', text: 'The `/svc/api/eval` group evaluates a project by a schedule.' },
  {
    id: 'RT-4.3-845',
    section: '4.3',
    text: 'A scheduled evaluation that is less accurate than its schedule wants is told once until one is as accurate again.',
  },
  { id: 'RT-4.3-846', section: '4.3', text: 'Schedules of evaluations under `/svc/api/eval` need an Admin.' },
  { id: 'RT-4.3-59', section: '4.3', text: 'Golden examples under `/svc/api/eval` need an Admin.' },
  { id: 'RT-4.3-484', section: '4.3', text: 'Candidates under `/svc/api/eval` need an Admin.' },
  { id: 'RT-4.3-485', section: '4.3', text: 'Feedback under `/svc/api/eval` needs an Admin.' },
  { id: 'RT-4.3-486', section: '4.3', text: 'The grounding re-check under `/svc/api/eval` needs an Admin.' },
  { id: 'RT-4.3-487', section: '4.3', text: 'Eval runs under `/svc/api/eval` need an Admin.' },
  { id: 'RT-4.3-60', section: '4.3', text: 'The `/svc/api/glossary` group manages the business glossary.' },
  { id: 'RT-4.3-61', section: '4.3', text: 'The `/svc/api/glossary` group needs an Admin.' },
  {
    id: 'RT-4.3-840',
    section: '4.3',
    text: 'A term of the glossary whose metric its data source cannot compute is refused with 400 and the words of the data source.',
  },
  {
    id: 'RT-4.3-841',
    section: '4.3',
    text: 'A term of the glossary is broken once its data source can no longer compute its metric.',
  },
  {
    id: 'RT-4.3-842',
    section: '4.3',
    text: 'A glossary that is exported as CSV and imported again is unchanged.',
  },
  {
    id: 'RT-4.3-843',
    section: '4.3',
    text: 'An import of a glossary with a record that is no term saves nothing and names its line.',
  },
  {
    id: 'RT-4.3-340',
    section: '4.3',
    text: 'The `/svc/api/admin-settings` group covers the LLM test.',
  },
  { id: 'RT-4.3-341', section: '4.3', text: 'Testing the LLM needs a SecurityAdmin.' },
  { id: 'RT-4.3-300', section: '4.3', text: 'The LLM connection in the admin settings needs an Admin.' },
  {
    id: 'RT-4.3-620',
    section: '4.3',
    text: 'Limits of calls to the LLM that a SecurityAdmin sets in the admin settings hold from the next call on.',
  },
  {
    id: 'RT-4.3-621',
    section: '4.3',
    text: 'A call to the LLM whose upper bound does not fit in the budget of the month is not sent.',
  },
  {
    id: 'RT-4.3-622',
    section: '4.3',
    text: 'While the budget of the LLM is spent, a question that needs it answers 409 `llm-budget-spent`.',
  },
  {
    id: 'RT-4.3-623',
    section: '4.3',
    text: 'The LLM is told names, types, keys and comments of tables for the documentation of a project, and no value of a row.',
  },
  {
    id: 'RT-4.3-624',
    section: '4.3',
    text: 'A section of the documentation that a person wrote stays as it is in a generation, with the generated text beside it.',
  },
  {
    id: 'RT-4.3-625',
    section: '4.3',
    text: 'Having a section of the documentation rewritten by the LLM saves nothing.',
  },
  {
    id: 'RT-4.3-820',
    section: '4.3',
    text: 'While `Svc:LLM:Enabled` is false, what needs the LLM answers 409 `llm-not-configured` and says that the operator has switched it off.',
  },
  {
    id: 'RT-4.3-821',
    section: '4.3',
    text: 'What is sent to the LLM and what it answers is kept only while `Svc:LLM:KeepsContent` is true.',
  },
  {
    id: 'RT-4.3-822',
    section: '4.3',
    text: 'What was sent to the LLM and what it answered is read by Admins alone.',
  },
  {
    id: 'RT-4.3-823',
    section: '4.3',
    text: 'What was sent to the LLM and what it answered is gone after seven days.',
  },
  {
    id: 'RT-4.3-824',
    section: '4.3',
    text: 'An answer to a question tells what the LLM cost at the prices that held, and null where there were none.',
  },
  {
    id: 'RT-4.3-962',
    section: '4.3',
    text: 'The tokens and the cost of an answer hold those of its explanations.',
  },
  {
    id: 'RT-4.3-963',
    section: '4.3',
    text: 'Active golden examples of a data source are checked again when its schema changes.',
  },
  {
    id: 'RT-4.3-825',
    section: '4.3',
    text: '`GET /svc/api/llm/usage` counts the calls of the days of UTC from `from` to `to`, both counted.',
  },
  {
    id: 'RT-4.3-826',
    section: '4.3',
    text: 'An evaluation takes no more tokens of the LLM than its `maxTokens`.',
  },
  {
    id: 'RT-4.3-827',
    section: '4.3',
    text: 'Each change of the text of the documentation of a project makes a version, which readers of the project page through with what it changed.',
  },
  {
    id: 'RT-4.3-828',
    section: '4.3',
    text: 'Cancelling a question that the LLM works at ends the request at its provider.',
  },
  {
    id: 'RT-4.3-595',
    section: '4.3',
    text: 'The owner of an AI actor, its creator and the user who started the think of a plan cannot decide on the plan.',
  },
  {
    id: 'RT-4.3-596',
    section: '4.3',
    text: 'What an approved plan of an AI actor does is done with the present rights of the owner of the actor.',
  },
  {
    id: 'RT-4.3-597',
    section: '4.3',
    text: 'An approved plan of an AI actor is applied whole or not at all.',
  },
  {
    id: 'RT-4.3-598',
    section: '4.3',
    text: 'A plan of an AI actor expires, with 409, when what it was made for has changed.',
  },
  {
    id: 'RT-4.3-599',
    section: '4.3',
    text: 'A plan of an AI actor expires after 14 days.',
  },
  {
    id: 'RT-4.3-600',
    section: '4.3',
    text: 'An AI actor changes nothing that it did not make.',
  },
  { id: 'RT-4.3-601', section: '4.3', text: 'An AI actor touches no locked query.' },
  {
    id: 'RT-4.3-602',
    section: '4.3',
    text: 'What goes to a language model for an AI actor holds no value of a row.',
  },
  {
    id: 'RT-4.3-603',
    section: '4.3',
    text: 'An AI actor whose thinks fail three times in a row no longer thinks.',
  },
  {
    id: 'RT-4.3-604',
    section: '4.3',
    text: 'A plan of an AI actor that waits is listed at `/svc/api/approvals/pending` with its kind.',
  },
  {
    id: 'RT-4.3-547',
    section: '4.3',
    text: 'A learned pattern is made of names of the schema, and holds no value and no word of a question.',
  },
  {
    id: 'RT-4.3-548',
    section: '4.3',
    text: 'A learned pattern is told to AI clients once a writer of its project has approved it, and not before.',
  },
  {
    id: 'RT-4.3-1479',
    section: '4.3',
    text: 'The results and the comparison of an evaluation of all projects omit the questions of archived projects.',
  },
] as const satisfies readonly RequirementEntry[];
