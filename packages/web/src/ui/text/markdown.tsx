import MarkdownIt, { type Token } from 'markdown-it';
import { createElement, Fragment, type ReactNode } from 'react';
import classes from './markdown.module.css';

// The parser renders HTML as text and loads no external content.
const parser = new MarkdownIt({ html: false, linkify: false });
parser.disable('image');

/** Permitted elements. Other tokens render only their text. */
const elements: ReadonlySet<string> = new Set([
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
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'a',
]);

/** Renderers that replace parts of a text. */
export type MarkdownParts = {
  /** Link. Default: opens in a new tab. */
  readonly link?: (href: string, children: readonly ReactNode[]) => ReactNode;
  /** Block of code. Default: the code unchanged. */
  readonly code?: (text: string) => ReactNode;
  /** Returns the id of a heading from its Markdown. Default: none. */
  readonly headingId?: (heading: string) => string;
};

type Open = { readonly token: Token; readonly children: ReactNode[]; readonly id?: string | undefined };

const codeAsItIs = (text: string): ReactNode => (
  <pre>
    <code>{text}</code>
  </pre>
);

const linkInTab = (href: string, children: readonly ReactNode[]): ReactNode => (
  <a href={href} target="_blank" rel="noreferrer noopener">
    {children}
  </a>
);

function leaf(token: Token, key: number, parts: MarkdownParts): ReactNode {
  switch (token.type) {
    case 'inline':
      return <Fragment key={key}>{nodesOf(token.children ?? [], parts)}</Fragment>;
    case 'code_inline':
      return <code key={key}>{token.content}</code>;
    case 'fence':
    case 'code_block':
      return <Fragment key={key}>{(parts.code ?? codeAsItIs)(token.content)}</Fragment>;
    case 'softbreak':
      return ' ';
    default:
      return elements.has(token.tag) ? createElement(token.tag, { key }) : token.content;
  }
}

function close({ token, children, id }: Open, key: number, parts: MarkdownParts): ReactNode {
  if (!elements.has(token.tag) || token.hidden) return <Fragment key={key}>{children}</Fragment>;
  if (token.tag === 'table') {
    // A wide table scrolls horizontally, also by keyboard.
    return createElement('div', { key, className: classes['wide'], tabIndex: 0 }, <table>{children}</table>);
  }
  if (token.tag !== 'a') return createElement(token.tag, { key, id }, ...children);
  const href = String(token.attrGet('href') ?? '');
  return <Fragment key={key}>{(parts.link ?? linkInTab)(href, children)}</Fragment>;
}

function nodesOf(tokens: readonly Token[], parts: MarkdownParts): ReactNode[] {
  const root: ReactNode[] = [];
  const open: Open[] = [];
  const add = (node: ReactNode) => (open.at(-1)?.children ?? root).push(node);
  for (const [key, token] of tokens.entries()) {
    if (token.nesting === 1) {
      const heading = token.type === 'heading_open' ? tokens[key + 1]?.content : undefined;
      open.push({ token, children: [], id: heading === undefined ? undefined : parts.headingId?.(heading) });
    } else if (token.nesting === -1) {
      const ended = open.pop();
      if (ended) add(close(ended, key, parts));
    } else add(leaf(token, key, parts));
  }
  return root;
}

type Props = { readonly text: string; readonly parts?: MarkdownParts };

/** Renders Markdown of users or of the service as elements. Its content never becomes HTML. */
export function Markdown({ text, parts = {} }: Props) {
  return <div className={classes['markdown']}>{nodesOf(parser.parse(text, {}), parts)}</div>;
}
