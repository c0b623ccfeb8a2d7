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

/** Maximum width at which the lines appear below each other, because two texts side by side do not fit. */
const narrow = '(max-width: 800px)';
/** Unchanged lines around a difference, and the minimum length of a stretch that is folded. */
const collapse = { margin: 3, minSize: 6 };
/** Bounds of the comparison. `timeout` in ms: texts that differ in every line would take longer. */
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

/** Two texts with different lines marked: side by side, or below each other on a narrow screen. */
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
