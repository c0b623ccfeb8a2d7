import { hostProblemKinds, type ProblemEntry, problemGroups } from '@svc/contract';

const style = `
:root { color-scheme: light dark; --bg: #f6f5f7; --surface: #fff; --line: #e1dde5; --text: #1c1921; --soft: #59535f;
  --accent: #76307f; --target: #f3e7f5; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #121015; --surface: #19171d; --line: #302c37; --text: #ebe8ef; --soft: #aaa3b4; --accent: #d99ce2;
    --target: #35203a; }
}
body { margin: 0; background: var(--bg); color: var(--text); font: 15px/1.5 "Segoe UI", system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 60vh; }
a { color: var(--accent); }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.2rem; }
h3 { margin: 0; font-size: 1rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
section > section { margin: 0.5rem 0; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 6px;
  background: var(--surface); scroll-margin-top: 1rem; }
section > section:target { border-color: var(--accent); background: var(--target); }
p { margin: 0.25rem 0 0; overflow-wrap: anywhere; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.92em; }
.soft { color: var(--soft); }
`;

type Explained = Pick<ProblemEntry, 'title' | 'means' | 'next'> & { readonly status?: number | null };

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Escapes text of the table and renders text between backticks as code. */
const withCode = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const statusOf = ({ status }: Explained): string =>
  status === undefined ? '' : status === null ? ' · answer of a tool' : ` · status ${status}`;

const entryOf = (code: string, entry: Explained): string => `
<section id="${escaped(code)}" aria-labelledby="title-${escaped(code)}">
<h3 id="title-${escaped(code)}"><a href="#${escaped(code)}">${escaped(entry.title)}</a></h3>
<p class="soft"><code>${escaped(code)}</code>${statusOf(entry)}</p>
<p>${withCode(entry.means)}</p>
<p><strong>What to do:</strong> ${withCode(entry.next)}</p>
</section>`;

const groupOf = (name: string, entries: Readonly<Record<string, Explained>>): string =>
  `<section>\n<h2>${escaped(name)}</h2>${Object.entries(entries)
    .map(([code, entry]) => entryOf(code, entry))
    .join('')}\n</section>`;

const body = [
  ...Object.entries(problemGroups).map(([name, entries]) => groupOf(name, entries)),
  groupOf('Types of the standalone host', hostProblemKinds),
].join('\n');

/**
 * Returns the page that explains every problem code: HTML without a script.
 *
 * @param options.styleNonce Nonce of the response's policy, which permits the one style.
 * @param options.homePath Start path of the service's own pages.
 */
export const helpPage = ({ styleNonce, homePath }: { styleNonce: string; homePath: string }): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Errors · Svc</title>
<style nonce="${escaped(styleNonce)}">${style}</style>
</head>
<body>
<main>
<p><a href="${escaped(homePath)}">Svc</a></p>
<h1>Errors</h1>
<p>Every refusal is a problem (RFC 9457). Its <code>code</code> is stable and stands below; its <code>detail</code> says
what is special about the case; its <code>traceId</code> leads to the request in the log.</p>
${body}
</main>
</body>
</html>
`;
