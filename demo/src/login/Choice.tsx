interface ChoiceProps {
  readonly name: string;
  readonly legend: string;
  /** The choices by value. The first one is the default. */
  readonly choices: Readonly<Record<string, { readonly title: string; readonly note: string }>>;
}

/** A group of radio buttons. */
export function Choice({ name, legend, choices }: ChoiceProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {Object.entries(choices).map(([value, { title, note }], index) => (
        <label key={value} className="choice">
          <input type="radio" name={name} value={value} defaultChecked={index === 0} />
          <span>
            {title} <small>{note}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
