/** A test file that proves a control. If `tests` is given, only the tests whose names contain these texts do. */
export interface Proof {
  file: string;
  tests?: readonly string[];
}

/** A program of this folder. It needs root and a network namespace. */
export interface Program {
  program: string;
}

export interface Control {
  id: string;
  /** What holds. */
  control: string;
  proofs: readonly (Proof | Program)[];
}
