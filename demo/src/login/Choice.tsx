interface ChoiceProps {
  readonly name: string;
  readonly legend: string;
  /** By their values; the first is chosen until the visitor chooses another. */
  readonly choices: Readonly<Record<string, { readonly title: string; readonly note: string }>>;
}

/** One of several, as radio buttons of the form around it. */
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
