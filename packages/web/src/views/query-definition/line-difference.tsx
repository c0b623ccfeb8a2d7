import { sql } from '@codemirror/lang-sql';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { styleNonce } from '../../lib/nonce.ts';
import { editorTheme, sqlColours } from '../sql/editor-theme.ts';
import classes from './definition-differences.module.css';

type Side = { readonly label: string; readonly text: string };

/** Below this two texts beside each other have no room: the lines stand below each other. */
const narrow = '(max-width: 800px)';
/** Lines that both say are folded where there are more of them than these around a difference. */
const collapse = { margin: 3, minSize: 6 };
/** A text of another shape on every line is compared for no longer than this. */
const diffConfig = { scanLimit: 1_000, timeout: 200 };

const theme = EditorView.theme({
  '&': { height: 'auto' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--green-soft)' },
  '.cm-deletedChunk, .cm-merge-a .cm-changedLine, .cm-merge-a & .cm-changedLine': {
    backgroundColor: 'var(--red-soft)',
  },
  '.cm-changedText': { background: 'none', textDecoration: 'underline', textUnderlineOffset: '3px' },
  '.cm-deletedText': { background: 'none', textDecoration: 'line-through' },
  '.cm-collapsedLines': {
    background: 'var(--sunken)',
    color: 'var(--text-soft)',
    padding: '4px 12px',
  },
});

const shown = (label: string, language: 'SQL' | 'Text'): Extension => [
  EditorView.cspNonce.of(styleNonce),
  ...(language === 'SQL' ? [sql()] : []),
  lineNumbers(),
  EditorView.lineWrapping,
  sqlColours,
  editorTheme,
  theme,
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.contentAttributes.of({
    'aria-label': label,
    role: 'textbox',
    'aria-readonly': 'true',
    'aria-multiline': 'true',
    tabindex: '0',
  }),
];

/** Two texts with the lines marked that differ: side by side, or below each other where there is no room. */
export function LineDifference({
  before,
  after,
  language = 'SQL',
}: {
  readonly before: Side;
  readonly after: Side;
  readonly language?: 'SQL' | 'Text';
}) {
  const host = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery(narrow) ?? false;
  useEffect(() => {
    const parent = host.current;
    if (!parent) return undefined;
    const view = isNarrow
      ? new EditorView({
          parent,
          doc: after.text,
          extensions: [
            shown(`${after.label}, and what of ${before.label} is gone`, language),
            unifiedMergeView({
              original: before.text,
              mergeControls: false,
              highlightChanges: true,
              collapseUnchanged: collapse,
              diffConfig,
            }),
          ],
        })
      : new MergeView({
          parent,
          a: { doc: before.text, extensions: shown(before.label, language) },
          b: { doc: after.text, extensions: shown(after.label, language) },
          gutter: true,
          collapseUnchanged: collapse,
          diffConfig,
        });
    return () => view.destroy();
  }, [isNarrow, before.label, before.text, after.label, after.text, language]);
  return (
    <div>
      {isNarrow ? (
        <p className="soft">{`${before.label} → ${after.label}`}</p>
      ) : (
        <div className={classes['heads']}>
          <span>{before.label}</span>
          <span>{after.label}</span>
        </div>
      )}
      <div ref={host} className={classes['lines']} />
    </div>
  );
}
