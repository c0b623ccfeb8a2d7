import type { ProblemTable } from './problem-table.ts';

/** Refusals of the MCP endpoint and of its tools. Those without a status are answers of a tool (`isError`). */
export const mcpProblems = {
  'unknown-tool': {
    status: 400,
    title: 'Unknown tool',
    means: 'There is no tool of this name.',
    next: 'List the tools and use one of their names.',
    operations: ['updateMcpSettings', 'updateMcpProjectSettings'],
  },
  'host-not-allowed': {
    status: 403,
    title: 'Host not allowed',
    means: 'The MCP endpoint is not called by this host name.',
    next: 'Call it by its public name, or have the name added to Svc:Mcp:AllowedHosts.',
    operations: ['callMcp'],
  },
  'origin-not-allowed': {
    status: 403,
    title: 'Origin not allowed',
    means: 'Pages of this origin may not call the MCP endpoint.',
    next: 'Have the origin added to Svc:Mcp:AllowedOrigins.',
    operations: ['callMcp'],
  },
  'unknown-mcp-caller': {
    status: 403,
    title: 'Unknown MCP caller',
    means: 'The token is valid, but its caller may not use the MCP endpoint.',
    next: 'Have the caller added to Svc:Mcp:Callers.',
    operations: ['callMcp'],
  },
  'data-source-needed': {
    status: null,
    title: 'Data source needed',
    means: 'The project has several data sources and the call names none.',
    next: 'Name one in data_source.',
  },
  'invalid-arguments': {
    status: null,
    title: 'Invalid arguments',
    means: 'The arguments of the call do not fit the input schema of the tool.',
    next: 'Correct the arguments and call the tool again.',
  },
  'mcp-disabled': {
    status: null,
    title: 'MCP switched off',
    means: 'MCP is switched off for this project.',
    next: 'Name another project, or ask a SecurityAdmin to switch it on.',
  },
  'no-data-source': {
    status: null,
    title: 'No data source',
    means: 'The project has no data source.',
    next: 'Link a data source to the project first.',
  },
  'no-project': {
    status: null,
    title: 'No project',
    means: 'No projects are available to you.',
    next: 'Ask for access to a project, or use a key that names one.',
  },
  'not-a-select': {
    status: null,
    title: 'Not a SELECT',
    means: 'Only a SELECT may be sent; WITH may come before it.',
    next: 'Write the statement as one SELECT.',
  },
  'project-denied': {
    status: null,
    title: 'Project denied',
    means: 'The project does not exist, or this caller may not use it.',
    next: 'Name another project; get_context lists those that you may use.',
  },
  'project-needed': {
    status: null,
    title: 'Project needed',
    means: 'The caller may use several projects and named none.',
    next: 'Name one in project_id.',
  },
  'schema-unknown': {
    status: null,
    title: 'Schema unknown',
    means: 'The schema of the data source could not be read.',
    next: 'Try again later, or query tables whose names you know.',
  },
  'statement-too-long': {
    status: null,
    title: 'Statement too long',
    means: 'The statement has more characters than a call may send.',
    next: 'Send a shorter statement.',
  },
  'too-many-calls': {
    status: null,
    title: 'Too many calls',
    means: 'The caller makes too many calls at once, or within a minute.',
    next: 'Wait until a call has ended or the minute is over, then call again.',
  },
  'tool-disabled': {
    status: null,
    title: 'Tool switched off',
    means: 'The tool is switched off for this project.',
    next: 'Use another tool, or ask a SecurityAdmin to switch it on.',
  },
  'unknown-data-source': {
    status: null,
    title: 'Unknown data source',
    means: 'The project has no such data source.',
    next: 'Name one of those that the message lists.',
  },
  'unknown-query': {
    status: null,
    title: 'Unknown saved query',
    means: 'The project has no such saved query.',
    next: 'Look for it with search_saved_queries.',
  },
  'unknown-section': {
    status: null,
    title: 'Unknown section',
    means: 'The documentation of the project has no such section.',
    next: 'Call get_documentation without a section: it names those that there are.',
  },
  'unknown-table': {
    status: null,
    title: 'Unknown table',
    means: 'The data source has no such table.',
    next: 'Look for it with search, which finds tables and columns by a part of their names.',
  },
} as const satisfies ProblemTable;
