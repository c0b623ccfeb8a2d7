import { allKey, type TreeNode } from './tree-nodes.ts';

/** Effect of a key in the tree. A focus without a key stays at the present row. */
export type TreeMove =
  | { readonly kind: 'focus'; readonly key: string | undefined }
  | { readonly kind: 'expand' }
  | { readonly kind: 'collapse' }
  | { readonly kind: 'choose' };

/**
 * Returns the effect of a pressed key on a row; undefined for a key that the tree does not handle.
 * @param node  Row with the focus. Undefined: the first row, which shows all queries.
 */
export function moveOf(
  pressed: string,
  nodes: readonly TreeNode[],
  node: TreeNode | undefined,
): TreeMove | undefined {
  const keys = [allKey, ...nodes.map(({ key }) => key)];
  const at = node ? keys.indexOf(node.key) : 0;
  switch (pressed) {
    case 'ArrowDown':
      return { kind: 'focus', key: keys[at + 1] };
    case 'ArrowUp':
      return { kind: 'focus', key: keys[at - 1] };
    case 'Home':
      return { kind: 'focus', key: allKey };
    case 'End':
      return { kind: 'focus', key: keys.at(-1) };
    case 'Enter':
    case ' ':
      return { kind: 'choose' };
    case 'ArrowRight':
      if (!node?.hasBelow) return { kind: 'focus', key: undefined };
      return node.isOpen ? { kind: 'focus', key: keys[at + 1] } : { kind: 'expand' };
    case 'ArrowLeft':
      if (!node) return { kind: 'focus', key: undefined };
      return node.hasBelow && node.isOpen
        ? { kind: 'collapse' }
        : { kind: 'focus', key: parentOf(node, nodes)?.key };
    default:
      return undefined;
  }
}

const parentOf = (node: TreeNode, nodes: readonly TreeNode[]): TreeNode | undefined =>
  nodes.slice(0, nodes.indexOf(node)).findLast(({ level }) => level < node.level);
