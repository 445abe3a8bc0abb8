
(function () {
  "use strict";
  var findings = Array.prototype.slice.call(document.querySelectorAll("details.finding"));
  var causes = Array.prototype.slice.call(document.querySelectorAll("details.causes"));
  var form = document.querySelector("form.filter");
  if (findings.length > 1) {
    var selects = Array.prototype.slice.call(form.querySelectorAll("select"));
    var button = form.querySelector("button");
    var output = form.querySelector("output");
    selects.forEach(function (select) {
      var counts = new Map();
      findings.forEach(function (finding) {
        var value = finding.dataset[select.dataset.key];
        counts.set(value, (counts.get(value) || 0) + 1);
      });
      // Without a baseline nothing has a status.
      select.parentElement.hidden = counts.has(undefined);
      Array.from(counts.keys()).sort().forEach(function (value) {
        var name = value || "(no package)";
        var shown = name.length > 60 ? name.slice(0, 20) + "..." + name.slice(-37) : name;
        // The value of an option that says "all" is empty, too.
        select.add(new Option(shown + " (" + counts.get(value) + ")", "=" + value));
      });
    });
    var visible = function () {
      return findings.filter(function (finding) { return !finding.hidden; });
    };
    var isChosen = function () {
      return selects.some(function (select) { return select.value; });
    };
    var filter = function () {
      findings.forEach(function (finding) {
        finding.hidden = selects.some(function (select) {
          return select.value && select.value !== "=" + finding.dataset[select.dataset.key];
        });
      });
      causes.forEach(function (method) {
        method.hidden = !method.querySelector("details.finding:not([hidden])");
        // The finding above may not be one of those that were asked for.
        if (isChosen()) method.open = true;
      });
      output.textContent = visible().length + " of " + findings.length + " findings";
    };
    form.addEventListener("change", filter);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    button.addEventListener("click", function () {
      var open = button.textContent === "Open all";
      visible().forEach(function (finding) { finding.open = open; });
      causes.forEach(function (method) { method.open = open || isChosen(); });
      button.textContent = open ? "Close all" : "Open all";
    });
    // A browser brings back what was chosen before the page was loaded again.
    filter();
    form.hidden = false;
  }
  var opened = [];
  addEventListener("beforeprint", function () {
    opened = Array.prototype.slice.call(document.querySelectorAll("details:not([open]):not([hidden])"));
    opened.forEach(function (details) { details.open = true; });
  });
  addEventListener("afterprint", function () {
    opened.forEach(function (details) { details.open = false; });
  });
})();
