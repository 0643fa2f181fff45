/** Stands in the bundle for a package that is never used: whoever calls it learns so. */
export default function absent() {
  throw new Error('This package is not part of ackone-join.');
}
