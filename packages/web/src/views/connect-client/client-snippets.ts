/** Placeholder for the key in a configuration, if no new key is available. */
export const keyPlaceholder = 'YOUR_API_KEY';

export type ClientSnippet = {
  readonly id: string;
  readonly client: string;
  /** Place for the text: a shell or a configuration file. */
  readonly place: string;
  readonly text: string;
};

const json = (value: unknown): string => JSON.stringify(value, null, 2);
/** Quotes any text as one argument of a POSIX shell. */
const shellArgument = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const serverName = 'svc';

/**
 * Returns the configurations of common AI clients for the endpoint.
 *
 * @param key  New key. Default: a placeholder.
 */
export function clientSnippets(url: string, key: string = keyPlaceholder): readonly ClientSnippet[] {
  const authorization = `Bearer ${key}`;
  return [
    claudeCode(url, authorization),
    claudeDesktop(url, authorization),
    {
      id: 'cursor',
      client: 'Cursor',
      place: '~/.cursor/mcp.json',
      text: json({ mcpServers: { [serverName]: { url, headers: { Authorization: authorization } } } }),
    },
    vsCode(url),
    {
      id: 'codex',
      client: 'Codex',
      place: '~/.codex/config.toml; the key stands in the environment, as SVC_KEY',
      text: `[mcp_servers.${serverName}]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "SVC_KEY"`,
    },
    http(url, authorization),
  ];
}

const claudeCode = (url: string, authorization: string): ClientSnippet => ({
  id: 'claude-code',
  client: 'Claude Code',
  place: 'In a shell',
  text: `claude mcp add --transport http ${serverName} ${shellArgument(url)} --header ${shellArgument(`Authorization: ${authorization}`)}`,
});

const claudeDesktop = (url: string, authorization: string): ClientSnippet => ({
  id: 'claude-desktop',
  client: 'Claude Desktop',
  place: 'claude_desktop_config.json; needs Node.js, since it starts programs alone',
  text: json({
    mcpServers: {
      [serverName]: {
        command: 'npx',
        // No space after the colon: some systems split arguments at it.
        args: [
          '-y',
          'mcp-remote',
          url,
          '--transport',
          'http-only',
          '--header',
          `Authorization:\${SVC_AUTHORIZATION}`,
        ],
        env: { SVC_AUTHORIZATION: authorization },
      },
    },
  }),
});

/** VS Code asks the user for the key, so its configuration contains none. */
const vsCode = (url: string): ClientSnippet => ({
  id: 'vs-code',
  client: 'VS Code',
  place: '.vscode/mcp.json; it asks for the key once, and keeps it out of the file',
  text: json({
    inputs: [{ type: 'promptString', id: 'svc-key', description: 'API key of Svc', password: true }],
    servers: {
      [serverName]: {
        type: 'http',
        url,
        headers: { Authorization: `Bearer \${input:svc-key}` },
      },
    },
  }),
});

const http = (url: string, authorization: string): ClientSnippet => ({
  id: 'http',
  client: 'Any other',
  place: 'Streamable HTTP; from a shell, to see that it works',
  text: [
    `curl -s ${shellArgument(url)}`,
    `-H ${shellArgument(`Authorization: ${authorization}`)}`,
    `-H 'Content-Type: application/json'`,
    `-d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
  ].join(' \\\n  '),
});
