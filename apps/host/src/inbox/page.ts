/** A received delivery. */
export type InboxEntry = {
  readonly number: number;
  readonly receivedAt: Date;
  readonly contentType: string;
  readonly body: string;
};

const refreshSeconds = 5;
const shownMax = 20;

const encode = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function entryHtml(entry: InboxEntry): string {
  const time = entry.receivedAt.toISOString();
  return `<article><h2>Delivery ${entry.number} <time datetime="${time}">${time}</time></h2><pre>${encode(indented(entry.body))}</pre></article>`;
}

/** Returns the page of the inbox: newest first, automatic refresh, no script. */
export function inboxPage(entries: readonly InboxEntry[], received: number): string {
  const list = entries.slice(0, shownMax).map(entryHtml).join('\n');
  const empty = `<p class="empty">Nothing has arrived yet. This page renews itself every ${refreshSeconds} seconds.</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${refreshSeconds}">
<title>Inbox (${received})</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 20px; margin: 0; }
h2 { font-size: 13px; margin: 0 0 .5rem; display: flex; justify-content: space-between; gap: 1rem; flex-wrap: wrap; }
time { font: 12px ui-monospace, monospace; opacity: .75; }
article { border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; margin: 1rem 0; }
pre { margin: 0; font: 12px/1.5 ui-monospace, monospace; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.empty { padding: 2rem 0; opacity: .75; }
</style>
</head>
<body>
<h1>Inbox</h1>
<p>${received} ${received === 1 ? 'delivery' : 'deliveries'} since the start, the last ${Math.min(received, shownMax)} below. They came over HTTPS, like those to any other endpoint.</p>
${list || empty}
</body>
</html>
`;
}
