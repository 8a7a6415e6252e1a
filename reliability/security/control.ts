/** Tests that hold a control: a file, and of its tests those whose names hold one of these texts; none named: all. */
export interface Proof {
  file: string;
  tests?: readonly string[];
}

/** What is not a test of `npm test`: a program of this folder, for root and a network namespace of its own. */
export interface Program {
  program: string;
}

/** One control of the list that this service is built against, and how it is held. */
export interface Control {
  id: string;
  /** What holds, in a sentence. */
  control: string;
  proofs: readonly (Proof | Program)[];
}
