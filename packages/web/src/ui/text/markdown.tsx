import MarkdownIt, { type Token } from 'markdown-it';
import { createElement, Fragment, type ReactNode } from 'react';
import classes from './markdown.module.css';

// HTML in a text is shown as text; nothing is fetched from elsewhere.
const parser = new MarkdownIt({ html: false, linkify: false });
parser.disable('image');

/** What a text may become: anything else is drawn as the text in it. */
const elements: ReadonlySet<string> = new Set([
  ...[
    'p',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'blockquote',
    'strong',
    'em',
    's',
    'hr',
    'br',
  ],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'a'],
]);

type Open = { readonly token: Token; readonly children: ReactNode[] };

function leaf(token: Token, key: number): ReactNode {
  switch (token.type) {
    case 'inline':
      return <Fragment key={key}>{nodesOf(token.children ?? [])}</Fragment>;
    case 'code_inline':
      return <code key={key}>{token.content}</code>;
    case 'fence':
    case 'code_block':
      return (
        <pre key={key}>
          <code>{token.content}</code>
        </pre>
      );
    case 'softbreak':
      return ' ';
    default:
      return elements.has(token.tag) ? createElement(token.tag, { key }) : token.content;
  }
}

function close({ token, children }: Open, key: number): ReactNode {
  if (!elements.has(token.tag) || token.hidden) return <Fragment key={key}>{children}</Fragment>;
  if (token.tag !== 'a') return createElement(token.tag, { key }, ...children);
  return (
    <a key={key} href={String(token.attrGet('href') ?? '')} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

function nodesOf(tokens: readonly Token[]): ReactNode[] {
  const root: ReactNode[] = [];
  const open: Open[] = [];
  const add = (node: ReactNode) => (open.at(-1)?.children ?? root).push(node);
  for (const [key, token] of tokens.entries()) {
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === -1) {
      const ended = open.pop();
      if (ended) add(close(ended, key));
    } else add(leaf(token, key));
  }
  return root;
}

/** Markdown of people or of the service, drawn as elements: what it holds is never HTML. */
export function Markdown({ text }: { readonly text: string }) {
  return <div className={classes['markdown']}>{nodesOf(parser.parse(text, {}))}</div>;
}
