// Licensed under the Apache License, Version 2.0; see docs/licence-header.txt.
//
// Resolves the jars of each line in lines.properties, by the build's own Maven session, and writes
// into target/lines, beside the class path, for the link check and the bed:
//   LINE.jars     paths of hbase-server and all it needs at run time, one a line
//   LINE.webapps  path of hadoop-hdfs's test jar, which alone has HDFS's web applications
//   built         the line that the classes are compiled against
// What is there already, and newer than these files, is kept.
import org.eclipse.aether.DefaultRepositorySystemSession
import org.eclipse.aether.RepositorySystem
import org.eclipse.aether.artifact.DefaultArtifact
import org.eclipse.aether.collection.CollectRequest
import org.eclipse.aether.graph.Dependency
import org.eclipse.aether.resolution.ArtifactRequest
import org.eclipse.aether.resolution.DependencyRequest

def home = new File(project.basedir, 'src/test/lines')
def into = new File(project.build.directory, 'lines')
def age = ['lines.properties', 'resolve.groovy'].collect { new File(home, it).lastModified() }.max()
def system = session.container.lookup(RepositorySystem)
// Old poms name repositories that are long gone.
def maven = new DefaultRepositorySystemSession(session.repositorySession)
    .setIgnoreArtifactDescriptorRepositories(true)
def repositories = project.remoteProjectRepositories

def one = { String coordinates ->
  def request = new ArtifactRequest(new DefaultArtifact(coordinates), repositories, null)
  [system.resolveArtifact(maven, request).artifact.file]
}
def all = { String coordinates ->
  def root = new Dependency(new DefaultArtifact(coordinates), 'runtime')
  def request = new DependencyRequest(new CollectRequest(root, repositories), null)
  system.resolveDependencies(maven, request).artifactResults*.artifact*.file
}
def keep = { String name, Closure<List<File>> jars ->
  def list = new File(into, name)
  if (list.lastModified() < age || !list.readLines().every { new File(it).exists() }) {
    list.text = jars()*.path.join('\n') + '\n'
  }
  list
}

def lines = new Properties()
new File(home, 'lines.properties').withInputStream { lines.load(it) }
into.mkdirs()
lines.each { line, extent ->
  def server = "org.apache.hbase:hbase-server:$line"
  def jars = keep("${line}.jars") { extent == 'whole' ? all(server) : one(server) }
  if (extent == 'whole') {
    def hdfs = jars.readLines().findResult {
      def jar = it =~ /\/hadoop-hdfs-(\d[^\/]*)\.jar$/
      jar.find() ? jar.group(1) : null
    }
    keep("${line}.webapps") { one("org.apache.hadoop:hadoop-hdfs:jar:tests:$hdfs") }
  }
}
def built = project.properties['hbase.version']
assert lines.containsKey(built): "hbase.version $built is not in lines.properties"
new File(into, 'built').text = "$built\n"
