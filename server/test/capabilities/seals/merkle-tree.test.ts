import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  consistencyProofOf,
  inclusionProofOf,
  joinPeaks,
  leafOf,
  MerkleTree,
  nodeOf,
  peaksOf,
  sha256,
} from '../../../src/capabilities/seals/merkle-tree.ts';

/** The definition of RFC 6962 (2.1). */
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0] as Buffer;
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
  return nodeOf(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

const leaves = Array.from({ length: 70 }, (_, n) => leafOf(`entry ${n}`));

// The vectors of certificate-transparency-go.
test('the published roots of eight leaves come out', () => {
  const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const roots = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  const tree = new MerkleTree();
  for (const [n, input] of inputs.entries()) {
    tree.append(sha256(Buffer.from([0]), Buffer.from(input, 'hex')));
    assert.equal(tree.root().toString('hex'), roots[n]);
  }
});

test('a tree of every size has the root of RFC 6962, also if it goes on from its peaks', () => {
  const tree = new MerkleTree();
  for (let size = 0; size <= leaves.length; size += 1) {
    const root = rootOf(leaves.slice(0, size));
    assert.deepEqual(tree.root(), root);
    const peaks = peaksOf([0, size]).map(([from, to]) => rootOf(leaves.slice(from, to)));
    assert.deepEqual(joinPeaks(peaks), root);
    assert.deepEqual(new MerkleTree(size, peaks).root(), root);
    if (size < leaves.length) tree.append(leaves[size] as Buffer);
  }
});

test('proofs name the subtrees that RFC 6962 does', () => {
  // The examples of RFC 6962 (2.1.3): seven leaves.
  assert.deepEqual(inclusionProofOf(0, 7), [
    [1, 2],
    [2, 4],
    [4, 7],
  ]);
  assert.deepEqual(inclusionProofOf(3, 7), [
    [2, 3],
    [0, 2],
    [4, 7],
  ]);
  assert.deepEqual(inclusionProofOf(4, 7), [
    [5, 6],
    [6, 7],
    [0, 4],
  ]);
  assert.deepEqual(inclusionProofOf(6, 7), [
    [4, 6],
    [0, 4],
  ]);
  assert.deepEqual(consistencyProofOf(3, 7), [
    [2, 3],
    [3, 4],
    [0, 2],
    [4, 7],
  ]);
  assert.deepEqual(consistencyProofOf(4, 7), [[4, 7]]);
  assert.deepEqual(consistencyProofOf(6, 7), [
    [4, 6],
    [6, 7],
    [0, 4],
  ]);
  for (const size of [0, 7]) assert.deepEqual(consistencyProofOf(size, 7), []);
});

test('a tree passes each subtree that is complete, with its number', () => {
  const tree = new MerkleTree();
  const passed: string[] = [];
  for (const leaf of leaves.slice(0, 6)) tree.append(leaf, (height, number) => passed.push(`${height}/${number}`));
  assert.deepEqual(passed, ['1/0', '1/1', '2/0', '1/2']);
});
