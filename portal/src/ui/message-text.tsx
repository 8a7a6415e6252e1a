/** A person's text with its line breaks, in its own direction. */
export const MessageText = ({ text }: { text: string }) => (
  <span dir="auto" className="block whitespace-pre-line">
    {text}
  </span>
);
